/** Functions that call the global fetch, with headers of the contract as an argument of theirs. */
export default {
  client: {
    input: process.env.CONTRACT,
    output: {
      target: "generated/api.ts",
      client: "fetch",
      headers: true,
      tsconfig: "../tsconfig.json",
      override: { mutator: { path: "service-fetch.ts", name: "serviceFetch", extension: ".js" } },
    },
  },
};
