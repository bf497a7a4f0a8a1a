import { afterAll, afterEach } from 'vitest'
import { afterEachTest } from './after-each.ts'
import { leaveReport } from './seen-errors.ts'

afterEach(() => {
  for (const check of afterEachTest) check()
})

afterAll(leaveReport)
