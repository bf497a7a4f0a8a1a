import { useTranslation } from '../translation.ts'

/** Counts Unicode code points (docs/contract.md, "Requests and responses"). */
export const lengthOf = (text: string): number => [...text].length

const isWithin = (text: string, min: number, max: number): boolean =>
  lengthOf(text) >= min && lengthOf(text) <= max

/** The service's rules for texts. Names are trimmed first, as in the service. */
const isSound = {
  content: (text: string) => isWithin(text, 0, 10_000),
  description: (text: string) => isWithin(text.trim(), 0, 255),
  /** A rough check; the service decides. */
  email: (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) && isWithin(text.trim(), 0, 254),
  nickname: (text: string) => isWithin(text.trim(), 0, 64),
  /** Refuses links and addresses, also in full-width letters. */
  organization: (text: string) =>
    isWithin(text.trim(), 1, 128) && !/:\/\/|www\.|@/i.test(text.normalize('NFKC')),
  password: (text: string) => isWithin(text, 8, 128),
  permissionCode: (text: string) => /^[a-z0-9_-]{1,32}:[a-z0-9_-]{1,32}$/.test(text),
  roleName: (text: string) => isWithin(text.trim(), 1, 64),
  slug: (text: string) => /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(text) && isWithin(text, 1, 64),
  tenantName: (text: string) => isWithin(text.trim(), 1, 128),
  title: (text: string) => isWithin(text.trim(), 1, 200),
  username: (text: string) => /^[A-Za-z0-9._@+-]{3,64}$/.test(text.trim()),
}

type Checked = keyof typeof isSound

/** The key of the fault in `fieldFaults`; undefined for a valid text. */
export const faultOf = <Kind extends Checked>(kind: Kind, text: string): `fieldFaults.${Kind}` | undefined =>
  isSound[kind](text) ? undefined : `fieldFaults.${kind}`

/** For `validate` of a form. Shows a fault in the language of the page before a request is sent. */
export const useFieldChecks = () => {
  const { t } = useTranslation()
  return (kind: Checked) =>
    (text: string): string | null => {
      if (kind === 'email' && text.trim() === '') return t('fieldFaults.emailMissing')
      if (kind === 'password' && text === '') return t('fieldFaults.missing')
      const fault = faultOf(kind, text)
      return fault === undefined ? null : t(fault)
    }
}
