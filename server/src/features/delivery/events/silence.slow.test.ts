import { expect, test } from 'vitest'
import { openStream } from '../../../../test/event-streams.ts'
import { newTenant } from '../../../../test/factories.ts'
import { eventually } from '../../../../test/waits.ts'

test('a stream gets a comment when it has heard nothing for 20 seconds', async () => {
  const { admin } = await newTenant()
  const stream = await openStream(admin)
  await eventually(() => expect(stream.comments.length).toBeGreaterThan(0))
})
