import type { Interaction, InvitationFound } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { Button, Failure } from './kit.tsx'
import { send } from './send.ts'
import { useAct, useOptions } from './use-form.ts'

/** The slugs of the providers that are open in this sign-in. */
const slugsOf = ({ methods }: Interaction): string[] =>
  methods.flatMap((method: string) => (method.startsWith('provider:') ? [method.slice(9)] : []))

/** Offers the providers by which people of every tenant sign in. */
export const Providers = ({ interaction }: { interaction: Interaction }) => {
  const slugs = slugsOf(interaction)
  return slugs.length > 0 && <Links slugs={slugs} id={interaction.id} />
}

export type LinkKind = 'invitation' | 'sign_up'

/** The interaction in which a provider brought the person for the page's mailed link. */
export const interactionOfLink = (): string | undefined =>
  /^\?interaction=([\da-f-]{36})$/i.exec(location.search)?.[1]

interface LinkProvidersProps {
  kind: LinkKind
  /** The token of the mailed link. */
  token: string
  /** The e-mail of the signed-in account, or "". */
  reader: string
  found: Pick<InvitationFound, 'proof'> & Partial<Pick<InvitationFound, 'tenant'>>
}

/** Offers the providers to the person of a mailed link, who is not signed in. */
export const LinkProviders = ({ reader, found, ...link }: LinkProvidersProps) =>
  reader === '' &&
  found.proof === 'password' &&
  interactionOfLink() === undefined && <LinkButtons {...link} tenant={found.tenant?.id} />

const LinkButtons = ({
  kind,
  token,
  tenant,
}: Pick<LinkProvidersProps, 'kind' | 'token'> & { tenant?: string | undefined }) => {
  const { t } = useTranslation()
  const providers = useOptions(tenant)?.ways.providers ?? []
  const { isSending, error, run } = useAct(async (slug: string) => {
    const { id } = await send<{ id: string }>('POST', '/oauth2/links/interaction', { kind, token })
    location.assign(`/sso/start?provider=${slug}&interaction=${id}`)
  })
  return (
    <>
      <Failure error={error} />
      {providers.map(({ slug, name }) => (
        <Button key={slug} isSending={isSending} onClick={() => run(slug)}>
          {t('hosted.continueWith', { name })}
        </Button>
      ))}
    </>
  )
}

/** Until the names are known, the slugs stand for them. */
const Links = ({ slugs, id }: { slugs: string[]; id: string }) => {
  const { t } = useTranslation()
  const known = useOptions()?.ways.providers
  const nameOf = (slug: string): string => known?.find((one) => one.slug === slug)?.name ?? slug
  return slugs.map((slug) => (
    <a key={slug} href={`/sso/start?provider=${slug}&interaction=${id}`} className="button">
      {t('hosted.continueWith', { name: nameOf(slug) })}
    </a>
  ))
}
