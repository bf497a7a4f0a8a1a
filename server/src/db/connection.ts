import type pg from 'pg'

/** What a connection is made with: the settings of `pg`, and its class where that chooses among servers. */
export interface ConnectionConfig extends pg.ClientConfig {
  Client?: typeof pg.Client
}
