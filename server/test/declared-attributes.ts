/** Attributes that a test declares. */
import { onTestFinished } from 'vitest'
import { ok, platformAdmin, unique } from './factories.ts'

interface Wanted {
  subject?: 'user' | 'tenant'
  [field: string]: unknown
}

/** Declares an attribute until the test ends, because few fit. Returns its key. */
export const declareAttribute = async (
  { subject = 'user', ...fields }: Wanted = {},
  key = unique('a'),
): Promise<string> => {
  const root = await platformAdmin()
  const path = `/attributes/${subject}/${key}`
  ok(await root.put(path, { schema: { type: 'string' }, ...fields }))
  onTestFinished(async () => void (await root.delete(path)))
  return key
}
