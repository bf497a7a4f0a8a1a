/** Rules for passwords, at every door that sets one. */
import { newTenant, ok, unique, type Answer } from '../../../lab/client.ts'
import { addApp } from '../../second-factor.ts'
import type { Prove } from '../../suite.ts'
import {
  accept,
  invite,
  newAddress,
  newPerson,
  reset,
  resetToken,
  unlessCode,
  type Stage,
} from '../people/stage.ts'
import { refuteNothing } from '../../attack.ts'

const passwordRefused = 40080
const common = 'iloveyou123'

const rules = async (stage: Stage): Promise<string> => {
  const { id: tenant, admin } = await newTenant(stage.root)
  const person = await newPerson({ ...stage, home: { admin } })
  await addApp(admin)
  const value = { min_length: 10, refuse_common: true, refuse_personal: true }
  ok(await admin.call('PUT', '/settings/tenant/auth.passwords', { value }))
  const create = (password: string) => ({ email: newAddress(), username: unique('u'), password })
  const token = await invite(stage, admin, { email: newAddress() })
  const link = await resetToken(stage, person.email)
  const doors: [string, (password: string) => Promise<Answer>][] = [
    ['POST /users', (password) => stage.root.call('POST', '/users', create(password), { tenant })],
    ['an invitation', (password) => accept(stage, token, { password })],
    [
      'the own password',
      (password) =>
        person.call('POST', '/password', { old_password: person.password, new_password: password }),
    ],
    ['a reset', (password) => reset(stage, link, password)],
  ]
  const bad = [common, `${common}!!`, 'short one'.slice(0, 9), person.email]
  const breaches: string[] = []
  for (const [door, give] of doors) {
    for (const password of bad) {
      if (password === person.email && !['the own password', 'a reset'].includes(door)) continue
      breaches.push(...unlessCode(`${door} with ${password}`, await give(password), passwordRefused))
    }
  }
  refuteNothing(breaches)
  return `${doors.length} doors, ${bad.length} passwords`
}

export const provePasswords = async (stage: Stage, record: Prove): Promise<void> => {
  await record('no door takes a password past the rules', () => rules(stage))
}
