import { useQuery } from '@tanstack/react-query'
import type { PermissionCode } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useAuthOptions } from '../../session/auth-options.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { useStats } from './use-stats.ts'

export interface Step {
  title: string
  hint: string
  to?: '/tenants' | '/users' | '/roles' | '/service-accounts'
  search?: { new?: true }
  /** Undefined while the service has not told it. */
  isDone: boolean | undefined
}

/** Whether the list has an entry; asks nothing if the caller may not see it. */
const useHasAny = (
  name: 'invitations' | 'serviceAccounts',
  queryKey: string,
  isAsked: boolean,
): boolean | undefined => {
  const { api, tenantId } = useScope()
  const { data } = useQuery({
    queryKey: [queryKey, tenantId, 'any'],
    queryFn: async ({ signal }) => (await api[name].list({ page_size: 1 }, { signal })).total > 0,
    enabled: isAsked,
  })
  return data
}

/** A step with the permissions that it takes. */
interface Offer extends Step {
  needs: PermissionCode[]
}

const toInvite: PermissionCode[] = ['user:create', 'user:read']
const toMakeRoles: PermissionCode[] = ['role:create', 'role:read']
const toMakeAccounts: PermissionCode[] = ['service_account:create', 'service_account:read']
const toMakeTenants: PermissionCode[] = ['tenant:create', 'tenant:read']

const useTenantSteps = (mayDo: (needs: PermissionCode[]) => boolean): Offer[] => {
  const { t } = useTranslation()
  const users = useStats().data?.userCount
  const isInvited = useHasAny('invitations', 'invitations', mayDo(toInvite))
  const hasAccount = useHasAny('serviceAccounts', 'service-accounts', mayDo(toMakeAccounts))
  const roles = useRoles().data
  return [
    {
      needs: toInvite,
      title: t('dashboard.firstUsers'),
      hint: t('dashboard.firstUsersText'),
      to: '/users',
      isDone: users === undefined ? undefined : users > 1 || isInvited,
    },
    {
      needs: toMakeRoles,
      title: t('dashboard.firstRole'),
      hint: t('dashboard.firstRoleText'),
      to: '/roles',
      isDone: roles?.some(({ is_system: isSystem }) => !isSystem),
    },
    {
      needs: toMakeAccounts,
      title: t('dashboard.firstAccount'),
      hint: t('dashboard.firstAccountText'),
      to: '/service-accounts',
      isDone: hasAccount,
    },
  ]
}

/** E-mails that become files reach nobody, so the step stays open. */
const useMailStep = (): Offer => {
  const { t } = useTranslation()
  const { data: options } = useAuthOptions()
  const step = options?.mail_in_files
    ? { title: t('dashboard.firstMailFiles'), hint: t('dashboard.firstMailFilesText') }
    : { title: t('dashboard.firstMail'), hint: t('dashboard.firstMailText') }
  return { ...step, needs: toMakeTenants, isDone: options && options.mail && !options.mail_in_files }
}

/** Strangers join the built-in tenant until the operator decides otherwise. */
const useSignUpStep = (): Offer => {
  const { t } = useTranslation()
  const { data: options } = useAuthOptions()
  const titles = {
    user: t('dashboard.signUpUser'),
    organization: t('dashboard.signUpOrganization'),
    closed: t('dashboard.signUpClosed'),
  }
  return {
    needs: toMakeTenants,
    title: titles[options?.sign_up ?? 'user'],
    hint: t('dashboard.signUpText'),
    isDone: options && options.sign_up !== 'user',
  }
}

const useInstallationSteps = (): Offer[] => {
  const { t } = useTranslation()
  const tenants = useStats().data?.tenantCount
  const needs = toMakeTenants
  return [
    { needs, title: t('dashboard.firstAdmin'), hint: t('dashboard.firstAdminText'), isDone: true },
    {
      needs,
      title: t('dashboard.firstTenant'),
      hint: t('dashboard.firstTenantText'),
      to: '/tenants',
      search: { new: true },
      isDone: tenants === undefined ? undefined : tenants > 1,
    },
    useMailStep(),
    useSignUpStep(),
  ]
}

/** The steps of the first week that the caller may do, with those of the installation in the built-in tenant. */
export const useSteps = (): Step[] => {
  const { can } = useMe()
  const { isOwn } = useScope()
  const mayDo = (needs: PermissionCode[]): boolean => needs.every(can)
  const installation = useInstallationSteps()
  const tenant = useTenantSteps(mayDo)
  return [...(isOwn ? installation : []), ...tenant].filter(({ needs }) => mayDo(needs))
}
