PORT=18301 DATA_DIR=memory node packages/local/.scratch/run.ts > /tmp/dx/run.log 2>&1 & S=$!
sleep 2
DP=$(ps -eo pid,ppid,args | grep "[d]ynoxide --port" | grep -v "/bin/sh" | head -1 | sed 's/.*--port \([0-9]*\).*/\1/'); echo dynoxide $DP
AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:$DP TABLE_NAME=payment-intents node packages/local/.scratch/bare.mjs & B=$!
sleep 1
curl -s -H 'X-API-Key: demo:x' http://127.0.0.1:18301/v2/users/me; echo
AC="node packages/local/node_modules/autocannon/autocannon.js -c 8 -d 4 --json"
for i in 1 2 3; do for t in http://127.0.0.1:18300/v2/users/me http://127.0.0.1:18301/v2/users/me; do echo $t $($AC -H 'X-API-Key: demo:x' $t 2>/dev/null | node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const j=JSON.parse(s);console.log(j.requests.average,j.latency.p99,j["2xx"],j.non2xx)})'); done; done
for g in payment-intents students payers payees; do curl -s -o /dev/null -w "%{http_code} " -H 'X-API-Key: demo:x' http://127.0.0.1:18301/v2/$g; done
for g in lookup/countries quotes/1 nothing ; do curl -s -o /dev/null -w "%{http_code} " -H 'X-API-Key: demo:x' http://127.0.0.1:18301/v2/$g; done
curl -s -o /dev/null -w "%{http_code} " -H 'X-API-Key: demo:x' http://127.0.0.1:18301/sandbox/payments;
ps -eo pid,rss,args | grep -E "[r]un.ts|[d]ynoxide --port" | cut -c1-90
kill $S $B; wait
