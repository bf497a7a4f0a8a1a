import type { Identity } from '@tenantry/client'
import { useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { leaveTo } from '../../session/sign-in.ts'
import { useTranslation } from '../../translation.ts'
import { useRead } from '../use-form.ts'
import { useAccount } from './account.ts'
import { DialogButton, Items, Loaded, ProofForm, Section } from './parts.tsx'

/** The persons of providers who open the account. */
export const Identities = () => {
  const { t } = useTranslation()
  const { options } = useAccount()
  const identities = useRead(() => client.auth.identities())
  const { providers } = options.ways
  if (providers.length === 0 && identities.data?.length === 0) return null
  return (
    <Section title={t('ownAccount.identities')} hint={t('ownAccount.identitiesText')}>
      <Loaded read={identities}>
        {(all) => (
          <>
            <Items label={t('ownAccount.identities')} items={all} idOf={({ id }) => id}>
              {(identity) => <IdentityItem identity={identity} renew={identities.retry} />}
            </Items>
            <div className="actions">
              {providers.map((provider) => (
                <Connect key={provider.slug} {...provider} />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </Section>
  )
}

interface IdentityItemProps {
  identity: Identity
  renew: () => void
}

const IdentityItem = ({ identity, renew }: IdentityItemProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { say } = useAccount()
  const { id, provider, label, created_at: added, last_used_at: used } = identity
  const { name } = provider
  return (
    <>
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <p>
          <bdi>{label}</bdi>
        </p>
        <p className="dimmed">
          {[
            t('factors.added', { moment: format.moment(added) }),
            used === '' ? t('factors.neverUsed') : t('factors.used', { ago: format.ago(used) }),
          ].join(' · ')}
        </p>
      </div>
      <DialogButton label={t('factors.remove')} name={t('factors.removeOne', { name })}>
        {(close) => (
          <>
            <p>{t('ownAccount.removeIdentityText')}</p>
            <ProofForm
              submit={t('factors.remove')}
              isDangerous
              send={async (_, proof) => {
                await client.auth.removeIdentity(id, proof)
                close()
                say(t('factors.isRemoved', { name }))
                renew()
              }}
            />
          </>
        )}
      </DialogButton>
    </>
  )
}

/** The provider then leads back to this page. */
const Connect = ({ slug, name }: { slug: string; name: string }) => {
  const { t } = useTranslation()
  return (
    <DialogButton label={t('ownAccount.connect', { name })}>
      {() => (
        <>
          <p>{t('ownAccount.connectText', { name })}</p>
          <ProofForm
            submit={t('hosted.next')}
            send={async (_, proof) => {
              const { url } = await client.auth.addIdentity({ provider: slug, ...proof })
              await leaveTo(url)
            }}
          />
        </>
      )}
    </DialogButton>
  )
}
