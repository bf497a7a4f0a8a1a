import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { mistyped, recordsOf } from '../../../../../test/accounts.ts'
import { requestFor, openBrowser } from '../../../../../test/browser.ts'
import { keyWith, newTenant } from '../../../../../test/factories.ts'
import {
  admit,
  credentialsOf,
  exchange,
  newApplication,
  postForm,
  postToken,
  refresh,
} from '../../../../../test/front-door.ts'
import { parts, startApp } from '../../../../../test/harness.ts'
import { createLogger } from '../../../../log.ts'

test('no secret, code, token or verifier stands in a log, a record or the database', async () => {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line: string) => void lines.push(line) })
  const at = await startApp({}, undefined, { log })
  const { admin, id } = await newTenant()
  const application = await newApplication()
  const key = await keyWith(id, [])
  const { code, verifier, signIn } = await admit(admin, application)
  const wrong = await exchange(
    { ...application, secret: mistyped(application.secret) },
    { code, verifier },
    {},
    { at },
  )
  const { body } = await exchange(application, { code, verifier }, {}, { at })
  const next = await refresh(application, body.refresh_token, {}, { at })
  await postForm('/userinfo', { access_token: body.access_token }, { at })
  await postForm(
    '/introspect',
    { client_id: `sa_${key.userId}`, client_secret: key.token, token: body.access_token },
    { at },
  )
  await postToken(
    { grant_type: 'client_credentials', client_id: `sa_${key.userId}`, client_secret: key.token },
    { at },
  )
  await exchange(application, { code, verifier }, {}, { at })
  await postForm('/revoke', { ...credentialsOf(application), token: next.body.refresh_token }, { at })
  await openBrowser(at).open(`/oauth2/logout?id_token_hint=${String(body.id_token)}`)
  const { params } = requestFor(application)
  await openBrowser(at).authorize(params)
  await at.app.close()
  const records = JSON.stringify(await recordsOf(admin))
  const rows = await parts.store.scoped({ tenantId: id }).many(sql`
    select to_json(s)::text from sessions s union all select to_json(c)::text from authorization_codes c
    union all select to_json(i)::text from sign_ins i union all select to_json(p)::text from application_secrets p`)
  const kept = `${lines.join('')}${records}${JSON.stringify(rows)}`
  expect(lines.join('')).toContain('/oauth2/token')
  const secrets = [
    code,
    verifier,
    signIn.cookie,
    application.secret,
    key.token,
    String(params['state']),
    body.access_token,
    body.refresh_token,
    body.id_token,
    next.body.access_token,
    next.body.refresh_token,
  ]
  for (const secret of secrets) expect(kept).not.toContain(secret)
  expect(wrong.text).not.toContain(application.secret.slice(0, 20))
})
