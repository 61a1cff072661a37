/** Turns traces and results into text, pages and files for other tools. */
export { BadPhrase, inWords } from './execution/wording.ts';
export { diffLines, type DiffOptions } from './explain/diff-lines.ts';
export { stepsOf, type StoryStep } from './explain/steps.ts';
export { explainLines, type ExplainOptions, type Paint, type Role } from './explain/story-report.ts';
export { sentenceOf, type Sentence } from './explain/story.ts';
export { storyLines } from './explain/table.ts';
export { whyLines, type WhyOptions } from './explain/why/why-lines.ts';
export { exportTrace, type ExportFormat } from './export/export-trace.ts';
export { pcapngOf, type PcapngOptions } from './export/pcapng/pcapng.ts';
export { NoViewer, viewerPage } from './view/page.ts';
export { exhibitOf, type NamedTrace } from './view/view-model.ts';
