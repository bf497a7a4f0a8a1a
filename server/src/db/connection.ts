import type pg from 'pg'

/** Settings of `pg` for a connection. `Client` is set if it chooses among several servers. */
export interface ConnectionConfig extends pg.ClientConfig {
  Client?: typeof pg.Client
}
