/** Directories, providers, imports and hashes: what programs of others send. */
import { ok, request, unique, type Answer } from '../../lab/client.ts'
import { patchOf, scim } from '../../lab/directory.ts'
import { answerTo, posted, readRequest, responseXml, rsaKey, signXml } from '../../lab/saml.ts'
import { byAdmin, byRoot, namesOf, times, type Input } from './input.ts'
import type { Stage } from './stage.ts'

const push =
  (path: string, body?: unknown) =>
  ({ directory }: Stage): Promise<Answer> =>
    scim(directory.machine, path, body)

const userOf = ({ directory: { domain } }: Stage) => {
  const userName = `${unique('p')}@${domain}`
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, externalId: userName }
}

const filterOf = (filter: string): string => `GET /Users?filter=${encodeURIComponent(filter)}`

const scimInputs: Input[] = [
  {
    what: 'SCIM: a user with unknown names',
    bound: '4 MiB and 50,000 units',
    status: 201,
    send: (stage) => push('POST /Users', { ...userOf(stage), ...namesOf(550) })(stage),
  },
  {
    what: 'SCIM: a user with 250,000 names',
    bound: '4 MiB and 50,000 units',
    status: 400,
    send: (stage) => push('POST /Users', { ...userOf(stage), ...namesOf(250_000) })(stage),
  },
  {
    what: 'SCIM: members of a group',
    bound: '20,000',
    status: 400,
    send: push('POST /Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'x',
      members: times(20_001, (at) => ({ value: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` })),
    }),
  },
  {
    what: 'SCIM: operations of a PATCH',
    bound: '100',
    status: 404,
    send: push(
      'PATCH /Users/00000000-0000-4000-8000-000000000000',
      patchOf(...times(100, () => ({ op: 'add', path: `emails[${'a'.repeat(1900)}]`, value: namesOf(20) }))),
    ),
  },
  {
    what: 'SCIM: a filter',
    bound: '2000 characters, depth 10',
    status: 400,
    send: push(filterOf(`${'('.repeat(900)}userName pr${')'.repeat(900)}`)),
  },
]

const stranger = rsaKey()

/** An answer to a sign-in that was just begun, which a stranger has signed, with more elements. */
const floodOf = async ({ url, admin, directory }: Stage, elements: string): Promise<string> => {
  const begun = ok(await admin.call('POST', `/connections/${directory.connectionId}/test`))
  const { pathname, search } = new URL(begun.url)
  const { headers } = await fetch(`${url}${pathname}${search}`, { redirect: 'manual' })
  const parts = answerTo(readRequest(headers.get('location') ?? ''), `https://${directory.domain}`)
  const signed = signXml(responseXml(parts), { key: stranger, of: 'Response' })
  return signed.replace('</samlp:Status>', (end) => `${end}<samlp:Extensions>${elements}</samlp:Extensions>`)
}

const answered =
  (elements: string) =>
  async (stage: Stage): Promise<Answer> => {
    const form = new URLSearchParams({ SAMLResponse: posted(await floodOf(stage, elements)) }).toString()
    return request(stage.url, 'POST', `/sso/saml/${stage.directory.connectionId}/acs`, { form })
  }

const samlBound = '256 KiB, and the elements of docs/contract.md'

const samlInputs: Input[] = [
  {
    what: 'SAML: a response with empty elements',
    bound: samlBound,
    status: 400,
    send: answered('<a/>'.repeat(4900)),
  },
  {
    what: 'SAML: a response of 250 KB',
    bound: samlBound,
    status: 400,
    send: answered('<a b="1"/>'.repeat(20_000)),
  },
  {
    what: 'SAML: a response with long texts',
    bound: samlBound,
    status: 400,
    send: answered(`<a>${'&amp;'.repeat(50)}</a>`.repeat(900)),
  },
  {
    what: 'SAML: metadata with empty elements',
    bound: samlBound,
    status: 400,
    send: byAdmin('POST', '/connections', {
      type: 'saml',
      name: 'x',
      domains: [],
      metadata: `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://x.example">${'<a/>'.repeat(60_000)}</EntityDescriptor>`,
    }),
  },
]

const importOf = (row: (at: number) => object) => ({ rows: times(1000, row) })

const importInputs: Input[] = [
  {
    what: 'an import of faulty rows',
    bound: '1000 rows, 1 MiB',
    status: 200,
    send: byRoot(
      'POST',
      '/users/import',
      importOf(() => ({ email: `a@${'a'.repeat(250)}`, role_ids: times(20, () => 0) })),
    ),
  },
  {
    what: 'an import of hashes that are refused',
    bound: '1000 rows, hashes of 512 characters',
    status: 200,
    send: byRoot(
      'POST',
      '/users/import',
      importOf((at) => ({
        email: `bounds.${at}@example.com`,
        password_hash: `$argon2id$v=19$m=65536,t=3,p=4$${'A'.repeat(450)}`,
      })),
    ),
  },
]

const permissionInputs: Input[] = [
  {
    what: 'permissions of a role',
    bound: '2000',
    status: 404,
    send: byAdmin('PUT', '/rbac/roles/1/permissions', { permission_ids: times(2000, (at) => at + 1) }),
  },
  {
    what: 'a search of the audit log',
    bound: '16 KiB',
    status: 400,
    send: byAdmin('GET', `/audit/logs?action=${'a.'.repeat(5000)}`),
  },
  {
    what: 'a picture of a profile',
    bound: '4096 characters',
    status: 400,
    send: byAdmin('PUT', '/profile', { avatar: `data:image/jpeg;base64,${'A'.repeat(4072)}` }),
  },
]

export const peopleInputs: Input[] = [...scimInputs, ...samlInputs, ...importInputs, ...permissionInputs]
