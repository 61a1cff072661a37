// Nothing to say, but for this: no configuration of a folder above is looked for.
export default {};
