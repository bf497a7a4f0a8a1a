import type pg from 'pg'

/** Settings of `pg` for a connection, and the client class where it chooses among servers. */
export interface ConnectionConfig extends pg.ClientConfig {
  Client?: typeof pg.Client
}
