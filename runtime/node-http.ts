// What is used of node:http. An import of it as a module asks for all it exports, and with WebSocket among that comes Node.js's own
// fetch: 2.5 MB of heap and 15 ms that nobody uses.
import type * as Http from 'node:http';

export type { IncomingMessage, RequestListener, Server } from 'node:http';

const http: typeof Http = process.getBuiltinModule('node:http');

export const { createServer, get } = http;
