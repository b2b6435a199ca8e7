// Types of the parts of undici that are imported alone: its index loads fetch, WebSocket, caches and mocks too, 3 MB of them.
// They are no public interface of it; its version is exact, and every test of the transport goes through them.

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';
  const connect: typeof buildConnector;
  export default connect;
}

declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici';
  const client: typeof Client;
  export default client;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici';
  const pool: typeof Pool;
  export default pool;
}
