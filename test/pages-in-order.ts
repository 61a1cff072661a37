/** The pages whose examples continue one another, in the order in which a reader types them: one test follows them all. */
export const pagesInOrder = [
  'docs/guide/first-steps.md',
  'docs/reference/system.md',
  'docs/guide/in-tests.md',
  'docs/reference/minimize.md',
  'docs/reference/explain.md',
  'docs/reference/diff.md',
  'docs/reference/step.md',
  'docs/reference/view.md',
  'docs/reference/export.md',
  'docs/reference/check.md',
  'docs/reference/code.md',
  'docs/guide/deterministic.md',
];
