import type { Membership } from '@tenantry/client'
import { client, reportSwitch, signOut } from '../../session/client.ts'
import { useSystemRoles } from '../../system-roles.ts'
import { useTranslation } from '../../translation.ts'
import { Field, Form } from '../kit.tsx'
import { useForm, useRead } from '../use-form.ts'
import { useAccount } from './account.ts'
import { Confirm, DialogButton, Items, Loaded, Section } from './parts.tsx'

export const OrganizationsPage = () => {
  const { t } = useTranslation()
  const memberships = useRead(() => client.auth.memberships())
  const isOnly = memberships.data?.length === 1
  return (
    <>
      <Section title={t('memberships.title')} hint={t(isOnly ? 'memberships.only' : 'memberships.text')}>
        <Loaded read={memberships}>
          {(all) => (
            <Items label={t('memberships.title')} items={all} idOf={({ tenant }) => tenant.id}>
              {(one) => <MembershipItem membership={one} all={all} renew={memberships.retry} />}
            </Items>
          )}
        </Loaded>
        <OwnOrganization />
      </Section>
      <Roles />
    </>
  )
}

/** Whether the person may work in the tenant. */
const isOpen = ({ status, tenant }: Membership): boolean => status === 1 && tenant.status === 1

interface MembershipItemProps {
  membership: Membership
  all: Membership[]
  renew: () => void
}

/** Only the end of the account ends the last membership, so a list of one membership has no button. */
const MembershipItem = ({ membership, all, renew }: MembershipItemProps) => {
  const { t } = useTranslation()
  const { tenant, username, is_current: isCurrent } = membership
  return (
    <>
      <div>
        <b>
          <bdi>{tenant.name}</bdi>
        </b>
        {isCurrent && <mark>{t('memberships.current')}</mark>}
        {!isOpen(membership) && <mark>{t('common.disabled')}</mark>}
        <p className="dimmed">{t('memberships.username', { username })}</p>
      </div>
      {all.length > 1 && <Leave {...{ membership, all, renew }} />}
    </>
  )
}

/**
 * Leaves the current tenant. Its session ends with the membership, so the person first switches to the next tenant. If
 * there is no next tenant, the person is signed out.
 */
const leaveCurrent = async (id: string, nextId: string | undefined): Promise<void> => {
  if (nextId === undefined) {
    await client.auth.leaveTenant(id)
    return signOut()
  }
  await client.auth.switchTenant({ tenant_id: nextId })
  try {
    await client.auth.leaveTenant(id)
  } catch (err) {
    await client.auth.switchTenant({ tenant_id: id })
    throw err
  }
  return reportSwitch()
}

const Leave = ({ membership, all, renew }: MembershipItemProps) => {
  const { t, gap } = useTranslation()
  const { say } = useAccount()
  const { id, name } = membership.tenant
  const next = all.find((one) => !one.is_current && isOpen(one))
  const then = next ? t('memberships.goOnIn', { name: next.tenant.name }) : t('memberships.goOnNowhere')
  const text = [t('memberships.leaveText'), ...(membership.is_current ? [then] : [])].join(gap)
  return (
    <DialogButton
      label={t('memberships.leave')}
      name={t('memberships.leaveOne', { name })}
      title={t('memberships.leaveTitle', { name })}
    >
      {(close) => (
        <Confirm
          text={text}
          confirm={t('memberships.leaveOne', { name })}
          act={async () => {
            // The page then has another session and reloads, or shows the sign-in.
            if (membership.is_current) return leaveCurrent(id, next?.tenant.id)
            await client.auth.leaveTenant(id)
            close()
            say(t('memberships.left', { name }))
            return renew()
          }}
        />
      )}
    </DialogButton>
  )
}

/** Shown if the installation lets people create organizations. */
const OwnOrganization = () => {
  const { t } = useTranslation()
  const { options } = useAccount()
  if (options.sign_up !== 'organization') return null
  return <DialogButton label={t('signUp.own')}>{() => <CreateOrganization />}</DialogButton>
}

/** After the request the page has a session in the new tenant, and reloads. */
const CreateOrganization = () => {
  const { t } = useTranslation()
  const { user } = useAccount()
  const form = useForm(
    async ({ organization = '', slug = '', username = '' }) => {
      const names = { organization: organization.trim(), username: username.trim() }
      await client.auth.createOrganization(slug === '' ? names : { ...names, slug })
      reportSwitch()
    },
    { organization: 'organization', slug: 'slug', username: 'username' },
  )
  return (
    <>
      <p className="dimmed">{t('signUp.ownText')}</p>
      <Form {...form} submit={t('signUp.submit')}>
        <Field name="organization" label={t('signUp.name')} autoComplete="organization" required />
        <Field name="slug" label={t('signUp.slug')} hint={t('signUp.slugHint')} autoComplete="off" />
        <Field
          name="username"
          label={t('fields.username')}
          hint={t('fields.usernameHint')}
          autoComplete="off"
          defaultValue={user.username}
          required
        />
      </Form>
    </>
  )
}

/** The roles of the person in the tenant of the session. */
const Roles = () => {
  const { t } = useTranslation()
  const { user, tenant } = useAccount()
  const roles = useRead(() => client.roles.ofUser(user.id))
  const textOf = useSystemRoles()
  return (
    <Section title={t('ownAccount.roles', { name: tenant.name })}>
      <Loaded read={roles}>
        {(all) =>
          all.length === 0 ? (
            <p>{t('profile.noRoles')}</p>
          ) : (
            <Items label={t('profile.roles')} items={all} idOf={({ id }) => id}>
              {({ name, description }) => (
                <div>
                  <b>
                    <bdi>{textOf(name)?.name ?? name}</bdi>
                  </b>
                  <p className="dimmed">
                    <bdi>{textOf(name)?.description ?? description}</bdi>
                  </p>
                </div>
              )}
            </Items>
          )
        }
      </Loaded>
    </Section>
  )
}
