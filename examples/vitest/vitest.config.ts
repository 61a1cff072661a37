// An empty configuration, so that Vitest does not look for one in a parent folder.
export default {};
