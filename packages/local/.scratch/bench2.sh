PORT=18301 DATA_DIR=memory node packages/local/.scratch/run.ts > /tmp/dx/run.log 2>&1 & S=$!
PORT=18302 DATA_DIR=memory node --max-semi-space-size=4 packages/local/.scratch/run.ts > /tmp/dx/run2.log 2>&1 & S2=$!
sleep 6
AC="node packages/local/node_modules/autocannon/autocannon.js -c 8 -d 4 --json"
for i in 1 2 3 4; do for t in http://127.0.0.1:18301/v2/users/me http://127.0.0.1:18302/v2/users/me; do echo $t $($AC -H 'X-API-Key: demo:x' $t 2>/dev/null | node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const j=JSON.parse(s);console.log(j.requests.average,j.latency.p99,j["2xx"],j.non2xx)})'); done; done
ps -eo pid,rss,args | grep -E "[r]un.ts" | cut -c1-90
kill $S $S2; wait
