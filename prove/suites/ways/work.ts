/** Proof of work against robots. */
import { ok, request } from '../../../lab/client.ts'
import { packWork, solveWork } from '../../../lab/proof-of-work.ts'
import type { Prove } from '../../suite.ts'
import { anyone, newAddress, nextUrl, type Stage } from '../people/stage.ts'

const once = async (stage: Stage): Promise<string> => {
  ok(await stage.root.call('PUT', '/settings/global/auth.robots', { value: 'proof_of_work' }))
  const rounds = stage.short ? 2 : 10
  for (let round = 0; round < rounds; round += 1) {
    const challenge = ok(await request(nextUrl(stage), 'GET', '/api/v1/auth/challenge'))
    const altcha = packWork(await solveWork(challenge))
    const body = () => ({ email: newAddress(), altcha })
    const uses = Array.from({ length: 6 }, () => anyone(stage, '/auth/password/forgot', body()))
    const won = (await Promise.all(uses)).filter(({ status }) => status === 200).length
    if (won !== 1) throw new Error(`a proof of work counts ${won} times`)
  }
  const forged = packWork({ challenge: { parameters: {}, signature: '' }, solution: { counter: 1 } })
  for (const altcha of [undefined, 'any', forged]) {
    const { status } = await anyone(stage, '/auth/password/forgot', { email: newAddress(), altcha })
    if (status !== 400) throw new Error(`a forged proof of work answers ${status}`)
  }
  ok(await stage.root.call('PUT', '/settings/global/auth.robots', { value: 'off' }))
  return `${rounds} proofs, each six times at once at ${stage.urls.length} replicas`
}

export const proveWork = async (stage: Stage, record: Prove): Promise<void> => {
  await record('a proof of work counts once over all replicas', () => once(stage))
}
