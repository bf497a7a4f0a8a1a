/**
 * People of an export who have an account here. The import omits their account, user and rows, and invites them: it
 * must not attach anybody to an account (docs/contract.md, "Several tenants").
 */
import type { PartName } from './transfer.store.ts'

/** A person of an export, with the roles of the person. */
export interface KnownPerson {
  email: string
  nickname: string
  /** The import does not invite a disabled user, because the invitation would enable the user. */
  isEnabled: boolean
  /** Folded names of the person's role templates, and ids of the tenant's own roles. */
  templates: string[]
  ownRoles: number[]
}

interface Row {
  [column: string]: unknown
}

const parse = (line: string): Row => JSON.parse(line) as Row

/** Collects the people with an account here, and the rows to omit. */
export interface KnownPeople {
  /** Adds accounts that exist here, by their folded e-mails. */
  addEmails: (folded: string[]) => void
  hasEmail: (folded: string) => boolean
  emails: () => string[]
  /** Returns the lines to import. Call it for the parts in the order of the import. */
  keep: (part: PartName, lines: string[]) => string[]
  /** Known people, by the ids of their users in the export. */
  people: Map<number, KnownPerson>
}

export const createKnownPeople = (): KnownPeople => {
  const emails = new Set<string>()
  const people: KnownPeople['people'] = new Map()
  const hasEmail = (folded: string) => emails.has(folded)

  const noteUser = (row: Row): void => {
    people.set(Number(row['id']), {
      email: String(row['email']),
      nickname: String(row['nickname']),
      isEnabled: row['status'] === 1,
      templates: [],
      ownRoles: [],
    })
  }
  const noteRole = (row: Row): void => {
    const person = people.get(Number(row['user_id']))
    if (typeof row['template'] === 'string') person?.templates.push(row['template'])
    else person?.ownRoles.push(Number(row['own_role']))
  }
  const isKnownUser = (row: Row): boolean => people.has(Number(row['user_id']))

  /** True if the import omits a row. Keeps the data that the invitation needs. */
  const finders: Partial<Record<PartName, (row: Row) => boolean>> = {
    '02-accounts': (row) => hasEmail(String(row['email_folded'])),
    '03-users': (row) => {
      const isKnown = hasEmail(String(row['email_folded']))
      if (isKnown) noteUser(row)
      return isKnown
    },
    '06-user-roles': (row) => {
      const isKnown = isKnownUser(row)
      if (isKnown) noteRole(row)
      return isKnown
    },
    '07b-user-settings': isKnownUser,
    '08-notifications': isKnownUser,
    '08b-sendings': isKnownUser,
  }

  return {
    addEmails: (folded) => folded.forEach((email) => emails.add(email)),
    hasEmail,
    emails: () => [...emails],
    keep: (part, lines) => {
      const stays = finders[part]
      return stays && emails.size > 0 ? lines.filter((line) => !stays(parse(line))) : lines
    },
    people,
  }
}
