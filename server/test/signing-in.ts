/** A person who signs in to an application, without a window. */
import { expect } from 'vitest'
import { interactionOf, openBrowser } from './browser.ts'

interface Person {
  email: string
  password: string
}

/** Opens the address of an authorization, and resolves with the address of the answer. */
export const signInAt = async (
  at: { url: string },
  address: string,
  { email, password }: Person,
): Promise<string> => {
  const { pathname, search, origin } = new URL(address)
  expect(origin).toBe(at.url)
  const browser = openBrowser(at)
  const id = interactionOf(await browser.open(`${pathname}${search}`))
  const answer = await browser.act(id, 'password', { email, password })
  const moved = answer.data.step === 'consent' ? await browser.act(id, 'consent', { allow: true }) : answer
  expect(moved.data).toMatchObject({ step: 'done' })
  return moved.data.redirect_to
}
