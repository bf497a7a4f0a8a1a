import type { Interaction } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { useOptions } from './use-form.ts'

/** The slugs of the providers that are open in this sign-in. */
const slugsOf = ({ methods }: Interaction): string[] =>
  methods.flatMap((method: string) => (method.startsWith('provider:') ? [method.slice(9)] : []))

/** Offers the providers by which people of every tenant sign in. */
export const Providers = ({ interaction }: { interaction: Interaction }) => {
  const slugs = slugsOf(interaction)
  return slugs.length > 0 && <Links slugs={slugs} id={interaction.id} />
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
