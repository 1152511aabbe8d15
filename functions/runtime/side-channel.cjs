/**
 * Stands in the bundles for the package of this name, by which qs remembers things about objects: it does in any engine,
 * with 45 files that every function with lists would load, what a WeakMap does in ours.
 */
module.exports = () => new WeakMap();
