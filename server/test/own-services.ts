/** Gives each process of a run on services a database and a Redis of its own: `run-on-services.ts` makes them. */

const nth = (list: string | undefined): string | undefined =>
  list?.split(' ')[Number(process.env['VITEST_POOL_ID'] ?? 1) - 1]

for (const name of ['DATABASE_URL', 'REDIS_URL']) {
  const own = nth(process.env[`TEST_${name}S`])
  if (own !== undefined) process.env[name] = own
}
