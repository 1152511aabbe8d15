PORT=18301 DATA_DIR=memory node $FLAGS packages/local/.scratch/run.ts > /tmp/dx/run.log 2>&1 & S=$!
sleep 5; kill -USR2 $S; sleep 0.2
for g in payment-intents students payers payees lookup/countries quotes/1 nothing ; do curl -s -o /dev/null  -H 'X-API-Key: demo:x' http://127.0.0.1:18301/v2/$g; done
curl -s -o /dev/null  -H 'X-API-Key: demo:x' http://127.0.0.1:18301/sandbox/payments;
kill -USR2 $S; sleep 0.3; kill -USR2 $S; sleep 0.2
node packages/local/node_modules/autocannon/autocannon.js -c 8 -d 4 -H 'X-API-Key: demo:x' http://127.0.0.1:18301/v2/users/me >/dev/null 2>&1
kill -USR2 $S; sleep 0.3; grep -E "MEM|GC" /tmp/dx/run.log
kill $S; wait $S
