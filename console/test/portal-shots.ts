/** Draws the picture of docs/portal.md: `npm run screenshots`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { assign, ok, password, platformAdmin, systemRoleId } from '../../server/test/factories.ts'
import { drawLogos } from './logos.ts'
import { navigationOf, picturedNavigation, settle, refuseStream, signIn, visit } from './visit.ts'

const picture = fileURLToPath(new URL('../../docs/images/portal.png', import.meta.url))

const people = [
  'Amara Okafor',
  'Bruno Silva',
  'Chiara Rossi',
  'Daniel Lindqvist',
  'Elif Demir',
  'Farid Haddad',
]

test('Acme Cloud is shown as the administrator of Globex sees it', async () => {
  const { page, complaints } = await visit()
  await refuseStream(page)
  const root = await platformAdmin()
  const logos = await drawLogos(page, 'A', '#0b7a5f')
  const value = { product: 'Acme Cloud', color: '#0b7a5f', home_url: 'https://app.example.com/', ...logos }
  const pages = ['users', 'roles', 'connections', 'audit', 'notifications']
  ok(await root.put('/settings/global/tenantry.portal', { value: { ...value, pages } }))
  const { id } = ok(await root.post('/org/tenants', { name: 'Globex', slug: 'globex' }))
  const [first, ...others] = [...people].map((nickname) => {
    const username = nickname.toLowerCase().replace(' ', '.')
    return { username, nickname, email: `${username}@globex.example`, password }
  })
  const { id: userId } = ok(await root.post('/users', first, { tenant: id }))
  await assign(id, userId, systemRoleId('admin'))
  for (const body of others) ok(await root.post('/users', body, { tenant: id }))
  const back = encodeURIComponent('https://app.example.com/team')
  await signIn(page, first?.email ?? '', `users?return_to=${back}`)
  await page.getByRole('link', { name: 'Back to Acme Cloud' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 560 })
  await settle(page)
  await page.mouse.move(640, 2)
  await page.screenshot({ path: picture })
  writeFileSync(picturedNavigation('portal'), await navigationOf(page))
  expect(complaints).toEqual([])
})
