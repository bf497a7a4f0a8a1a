/** Which operations of the API assistants reach, by task. operations.ts says why the others have no tool. */

import type { PermissionCode } from '../../../access/permissions.ts'

export interface Action {
  /** The `operationId` of the route. */
  operation: string
  /** Fields that the tool does not take: they name an address or a secret. */
  omit?: readonly string[]
  /** The name of the argument with the whole body, for a body without fixed fields. */
  body?: string
  /** Parameters that the tool sets itself: an answer has names beside its ids. */
  query?: Readonly<Record<string, string>>
  /** The permissions for others than the own user, where the route leaves the decision to its service. */
  needs?: readonly PermissionCode[]
}

export interface ToolPlan {
  title: string
  description: string
  /** True if its actions change something. A tool never does both. */
  isWriting: boolean
  actions: Readonly<Record<string, Action>>
}

const op = (operation: string, more: Omit<Action, 'operation'> = {}): Action => ({ operation, ...more })

/** The first action is the default of a reading tool. */
export const tools = {
  find_people: {
    title: 'Find people',
    description:
      'Users of the organization, by name, address, status, role or last activity, and open invitations. Start here to get the id of a user.',
    isWriting: false,
    actions: {
      search: op('listUsers', { omit: ['after_id', 'ids'] }),
      get: op('getUser'),
      attributes: op('getUserAttributes'),
      invitations: op('listInvitations'),
    },
  },
  explain_access: {
    title: 'Explain access',
    description:
      'Why a user may or may not do something, and the roles that give it. who_can with user_id has their source, giver and end. Permissions have codes such as user:read; list_roles has them all.',
    isWriting: false,
    actions: {
      explain: op('explainPermission'),
      roles: op('listUserRoles', { needs: ['role:read'] }),
      eligible_roles: op('listEligibleRoles', { needs: ['role:read'] }),
    },
  },
  who_can: {
    title: 'Who can',
    description:
      'Who holds a permission or a role, since when, until when, and who gave it. One assignment for each role that gives it, of disabled users too. An unknown code finds nobody: take it from list_roles.',
    isWriting: false,
    actions: { assignments: op('listAssignments', { omit: ['page'], needs: ['role:read', 'user:read'] }) },
  },
  search_audit: {
    title: 'Search the audit log',
    description:
      'Who did what, when and from where: records of changes and sign-ins, newest first. `action_filter` takes actions such as user.update. A failed sign-in is a record of its user: user_id finds it, about_user_id does not.',
    isWriting: false,
    actions: {
      search: op('listAuditLogs', { omit: ['page', 'include'], query: { include: 'actor' } }),
      get: op('getAuditLog', { omit: ['include'], query: { include: 'actor' } }),
    },
  },
  list_roles: {
    title: 'List roles',
    description: 'Roles with their permissions and holders, and the catalogue of permissions.',
    isWriting: false,
    actions: {
      roles: op('listRoles'),
      get: op('getRole'),
      permissions_of_role: op('listRolePermissions'),
      users_of_role: op('listRoleUsers', { omit: ['after_id'] }),
      all_permissions: op('listPermissions'),
      templates: op('listRoleTemplates'),
    },
  },
  list_settings: {
    title: 'List settings',
    description: 'Settings of the organization, their declarations and history, and what counts for a user.',
    isWriting: false,
    actions: {
      settings: op('listTenantSettings'),
      get: op('getTenantSetting'),
      declarations: op('listSettingDefinitions'),
      history: op('listTenantSettingVersions'),
      effective: op('listEffectiveSettings'),
      effective_one: op('getEffectiveSetting'),
      of_user: op('getUserSetting'),
      of_all_tenants: op('listGlobalSettings'),
      of_all_tenants_one: op('getGlobalSetting'),
    },
  },
  list_flags: {
    title: 'List feature flags',
    description:
      'Feature flags, their rules, the organizations with a variant of their own, and what a context gets.',
    isWriting: false,
    actions: {
      flags: op('listFlags'),
      get: op('getFlag'),
      explain: op('explainFlag'),
      tenants: op('listFlagTenants'),
    },
  },
  list_keys: {
    title: 'List service accounts and keys',
    description:
      'Service accounts and their keys: who made them, their end and last use. Never the text of a key.',
    isWriting: false,
    actions: {
      service_accounts: op('listServiceAccounts'),
      get: op('getServiceAccount'),
      keys: op('listKeys'),
    },
  },
  list_webhooks: {
    title: 'List webhooks',
    description: 'Webhooks, whether their deliveries fail, and the attempts of a delivery.',
    isWriting: false,
    actions: {
      webhooks: op('listWebhooks'),
      get: op('getWebhook'),
      deliveries: op('listDeliveries'),
      delivery: op('getDelivery'),
    },
  },
  list_sign_ins: {
    title: 'List sign-ins',
    description:
      'Living sessions of a user, and the last sign-ins by a connection with the reason of a refusal. Failed passwords are in search_audit: user_id, and action_filter auth.login_failed.',
    isWriting: false,
    actions: {
      sessions: op('listUserSessions'),
      connections: op('listConnections'),
      attempts: op('listAttempts'),
      consents: op('listGrants'),
    },
  },
  get_organization: {
    title: 'Read the organization',
    description:
      'The organization, its attributes, and the organizations of the installation. Each user of find_people has the tenant_id.',
    isWriting: false,
    actions: {
      get: op('getTenant'),
      attributes: op('getTenantAttributes', { needs: ['setting:read'] }),
      all: op('listTenants'),
      declared_attributes: op('listAttributes'),
    },
  },
  get_usage: {
    title: 'Read usage',
    description:
      'What the organization uses of its limits, and its figures: users, sign-ins, activity by day.',
    isWriting: false,
    actions: {
      usage: op('getUsage', { needs: ['user:read'] }),
      of_all_tenants: op('listUsage'),
      statistics: op('getStats'),
      activity: op('getActivity'),
    },
  },
  change_users: {
    title: 'Change users',
    description: 'Renames, enables, disables and deletes users, ends their sessions, sets their attributes.',
    isWriting: true,
    actions: {
      update: op('updateUser', { omit: ['email'] }),
      set_status: op('changeUserStatus'),
      delete: op('deleteUser'),
      end_sessions: op('endUserSessions'),
      set_attributes: op('patchUserAttributes', { body: 'attributes' }),
    },
  },
  change_invitations: {
    title: 'Change invitations',
    description:
      'Invites people with roles, sends an invitation again, or revokes it. The service mails the link, if it has a mail server.',
    isWriting: true,
    actions: {
      invite: op('createInvitation'),
      resend: op('resendInvitation'),
      revoke: op('revokeInvitation'),
    },
  },
  change_roles: {
    title: 'Change roles',
    description: 'Creates, changes and deletes roles, and gives or takes them, also for a time.',
    isWriting: true,
    actions: {
      create: op('createRole'),
      update: op('updateRole'),
      delete: op('deleteRole'),
      replace_permissions: op('replaceRolePermissions'),
      assign: op('assignRole'),
      unassign: op('unassignRole'),
      change_end: op('changeAssignmentEnd'),
      assign_many: op('changeRoleUsers'),
    },
  },
  change_settings: {
    title: 'Change settings',
    description:
      'Sets, deletes and reverts settings of the product, of the organization or a user. Never secrets.',
    isWriting: true,
    actions: {
      set: op('putTenantSetting', { omit: ['if-match'] }),
      delete: op('deleteTenantSetting', { omit: ['if-match'] }),
      revert: op('revertTenantSetting', { omit: ['if-match'] }),
      set_for_user: op('putUserSetting', { omit: ['if-match'] }),
      delete_for_user: op('deleteUserSetting', { omit: ['if-match'] }),
    },
  },
  change_flags: {
    title: 'Change feature flags',
    description:
      'Creates, changes and deletes feature flags, and gives organizations a variant of their own.',
    isWriting: true,
    actions: {
      create: op('createFlag'),
      update: op('updateFlag', { omit: ['if-match'] }),
      delete: op('deleteFlag', { omit: ['if-match'] }),
      set_for_tenant: op('putFlagTenant'),
      delete_for_tenant: op('deleteFlagTenant'),
    },
  },
  change_organization: {
    title: 'Change the organization',
    description: 'Renames, enables or disables an organization, and sets its attributes.',
    isWriting: true,
    actions: {
      update: op('updateTenant'),
      set_attributes: op('patchTenantAttributes', { body: 'attributes', needs: ['setting:update'] }),
    },
  },
} as const satisfies Record<string, ToolPlan>

export type ToolName = keyof typeof tools
