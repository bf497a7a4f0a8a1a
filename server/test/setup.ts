import { afterAll, afterEach } from 'vitest'
import { afterEachFile, afterEachTest } from './after-each.ts'
import { leaveReport } from './seen-errors.ts'

afterEach(() => {
  for (const check of afterEachTest) check()
})

afterAll(async () => {
  leaveReport()
  for (const tidy of afterEachFile) await tidy()
})
