import { createServer } from "node:http"; import { createRequire } from "node:module";
const { handler } = createRequire(import.meta.url)("./dist/payees/index.cjs");
createServer(async (q,r)=>{ const a=await handler({path:q.url}); r.writeHead(a.statusCode,a.headers); r.end(a.body); }).listen(18300,"127.0.0.1");
