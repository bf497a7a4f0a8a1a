import { useTranslation } from 'react-i18next'

/** Contract, Requests and responses: lengths count Unicode code points. */
export const lengthOf = (text: string): number => [...text].length

const isWithin = (text: string, min: number, max: number): boolean =>
  lengthOf(text) >= min && lengthOf(text) <= max

/** What the contract says of texts; the service trims names before it looks at them. */
const isSound = {
  description: (text: string) => isWithin(text.trim(), 0, 255),
  /** Roughly: the service has the last word. */
  email: (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) && isWithin(text.trim(), 0, 254),
  nickname: (text: string) => isWithin(text.trim(), 0, 64),
  password: (text: string) => isWithin(text, 8, 128),
  roleName: (text: string) => isWithin(text.trim(), 1, 64),
  slug: (text: string) => /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(text) && isWithin(text, 1, 64),
  tenantName: (text: string) => isWithin(text.trim(), 1, 128),
  username: (text: string) => /^[A-Za-z0-9._@+-]{3,64}$/.test(text.trim()),
}

type Checked = keyof typeof isSound

/** What is wrong with a text, as `fieldFaults` names it; undefined when nothing is. */
export const faultOf = <Kind extends Checked>(kind: Kind, text: string): `fieldFaults.${Kind}` | undefined =>
  isSound[kind](text) ? undefined : `fieldFaults.${kind}`

/** For `validate` of a form: what the service would refuse is said in the language of the page. */
export const useFieldChecks = () => {
  const { t } = useTranslation()
  return (kind: Checked) =>
    (text: string): string | null => {
      const fault = faultOf(kind, text)
      return fault === undefined ? null : t(fault)
    }
}
