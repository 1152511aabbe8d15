/** Functions that fetch, in modules that Node.js can run as they are compiled. */
export default {
  input: process.env.CONTRACT,
  output: { path: "generated", module: { extension: ".js" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
};
