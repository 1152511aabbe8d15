"""A receiver by the library of Standard Webhooks: it takes what WEBHOOK_SECRET signed, and prints it."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError as error:
            self.send_response(400, str(error))
            self.end_headers()
            return
        self.send_response(204)
        self.end_headers()
        print(event["type"], event["data"]["id"], event["data"].get("externalId", "-"), flush=True)

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
