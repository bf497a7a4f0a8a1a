import { afterEach } from 'vitest'
import { afterEachTest } from './after-each.ts'

afterEach(() => {
  for (const check of afterEachTest) check()
})
