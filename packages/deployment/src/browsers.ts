/** The oldest browsers that can pay, as esbuild names them. The page's script is built for them. */
export const browsers = ["chrome100", "firefox100", "safari15.4"];
