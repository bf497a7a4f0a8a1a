import { ApiError, type Connection } from '@tenantry/client'
import { useErrorText } from '../../components/error-text.ts'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'

const hostOf = (address: string): string => URL.parse(address)?.host || address

/** The protocol and the provider of a connection, on one line. */
export const useProviderText = () => {
  const { t } = useTranslation()
  return ({ type, issuer, entity_id: entity = '' }: Connection): string =>
    t(`connections.${type}At`, { host: hostOf(issuer ?? entity) })
}

/** The service's English messages about a provider, with their translations. */
const refusals = [
  ['does not answer with metadata', 'connections.issuerSilent'],
  ['names itself otherwise', 'connections.issuerOther'],
  ['has no authorization', 'connections.issuerPoor'],
  ['without https', 'connections.issuerPlain'],
  ['with https', 'connections.issuerPlain'],
  ['user, password, query or fragment', 'connections.issuerShape'],
  ['stands for any organization', 'connections.issuerAny'],
  ['must contain openid', 'connections.scopesWrong'],
  ['a kind of its own', 'connections.issuerKind'],
  ['.p8 file', 'connections.keyWrong'],
  ['plain, well-formed XML', 'connections.metadataMalformed'],
  ['metadata of one entity', 'connections.metadataEntity'],
  ['IDPSSODescriptor', 'connections.metadataProvider'],
  ['HTTP-Redirect', 'connections.metadataAddress'],
  ['must be https', 'connections.metadataPlain'],
  ['answer with a document', 'connections.metadataSilent'],
  ['must be a web address', 'connections.metadataSilent'],
  ['1 to 3 certificates', 'connections.metadataCertificates'],
  ['Each certificate needs', 'connections.metadataWeak'],
  ['The entity never changes', 'connections.metadataOther'],
  ['lead to no other connection', 'connections.domainsTaken'],
] as const

/** Shows the refusals of a form's fields, as texts with a remedy. Throws any other error. */
export const useFieldRefusals = (form: { setErrors: (errors: Record<string, string>) => void }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return (error: unknown): void => {
    if (!(error instanceof ApiError) || error.fields.length === 0) throw error
    const texts = error.fields.map(({ field, message }): [string, string] => {
      const known = refusals.find(([words]) => message.includes(words))
      const name = message.split(/: (?=http)/)[1] ?? ''
      return [field.replace(/\.\d+$/, ''), known ? t(known[1], { name: isolated(name) }) : textOf(error)]
    })
    form.setErrors(Object.fromEntries(texts))
  }
}
