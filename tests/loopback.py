# SPDX-License-Identifier: MIT
"""An HTTP server on loopback that answers as a test says."""

import http.server
import threading


class Server:
    """Answers as `files` says, by path; notes what it was asked."""

    def __enter__(self):
        outer = self
        self.files = {}  # path → bytes, or a function of the request's handler
        self.asked = []
        self.closing = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.asked.append(self.path)
                answer = outer.files.get(self.path)
                try:
                    if callable(answer):
                        answer(self)
                    elif answer is None:
                        self.send_error(404)
                    else:
                        self.send_response(200)
                        self.send_header("Content-Length", str(len(answer)))
                        self.end_headers()
                        self.wfile.write(answer)
                except OSError:
                    pass

            def log_message(self, *unused):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *unused):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
