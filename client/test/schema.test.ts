/** The types of the SDK are those of the server: the compiler says so, line by line. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type * as contract from '../../server/src/contract.ts'
import { errorCodes } from '../../server/src/contract.ts'
import * as generated from '../src/error-codes.ts'
import type * as sdk from '../src/schema.ts'

/** `true` when two types are the same both ways, optional fields and unions included. */
type Same<A, B> = Asked<A> extends Asked<B> ? true : false

/** The compiler compares two of these by whether their types are identical. */
type Asked<A> = <T>() => T extends A ? 1 : 2

/** A query as a client may write it: what has a default may be left out, and be undefined. */
type Loose<T> = { [Name in keyof T]?: T[Name] | undefined }

/** A line that does not hold does not compile: `npm run types`. */
const agreements = {
  Activity: true satisfies Same<sdk.Activity, contract.Activity>,
  AssignRole: true satisfies Same<sdk.AssignRole, contract.AssignRole>,
  AuditLog: true satisfies Same<sdk.AuditLog, contract.AuditLog>,
  ChangePassword: true satisfies Same<sdk.ChangePassword, contract.ChangePassword>,
  CreateNotification: true satisfies Same<sdk.CreateNotification, contract.CreateNotification>,
  CreateRole: true satisfies Same<sdk.CreateRole, contract.CreateRole>,
  CreateTenant: true satisfies Same<sdk.CreateTenant, contract.CreateTenant>,
  CreateUser: true satisfies Same<sdk.CreateUser, contract.CreateUser>,
  DayActivity: true satisfies Same<sdk.DayActivity, contract.DayActivity>,
  ExportAuditLogsQuery: true satisfies Same<sdk.ExportAuditLogsQuery, Loose<contract.AuditExportQuery>>,
  GetActivityQuery: true satisfies Same<sdk.GetActivityQuery, Loose<contract.ActivityQuery>>,
  Health: true satisfies Same<sdk.Health, contract.Health>,
  KeySet: true satisfies Same<sdk.KeySet, contract.KeySet>,
  ListAuditLogsQuery: true satisfies Same<sdk.ListAuditLogsQuery, Loose<contract.AuditQuery>>,
  ListNotificationsQuery: true satisfies Same<sdk.ListNotificationsQuery, Loose<contract.PageQuery>>,
  ListPermissionsQuery: true satisfies Same<sdk.ListPermissionsQuery, Loose<contract.PermissionQuery>>,
  ListRoleUsersQuery: true satisfies Same<sdk.ListRoleUsersQuery, Loose<contract.PageQuery>>,
  ListUsersQuery: true satisfies Same<sdk.ListUsersQuery, Loose<contract.UserQuery>>,
  Liveness: true satisfies Same<sdk.Liveness, contract.Liveness>,
  Login: true satisfies Same<sdk.Login, contract.Login>,
  Manifest: true satisfies Same<sdk.Manifest, contract.UpgradeStatus['manifest']>,
  Notification: true satisfies Same<sdk.Notification, contract.Notification>,
  Permission: true satisfies Same<sdk.Permission, contract.Permission>,
  PermissionCode: true satisfies Same<sdk.PermissionCode, contract.PermissionCode>,
  Readiness: true satisfies Same<sdk.Readiness, contract.Readiness>,
  Refresh: true satisfies Same<sdk.Refresh, contract.Refresh>,
  Register: true satisfies Same<sdk.Register, contract.Register>,
  Registration: true satisfies Same<sdk.Registration, contract.Registration>,
  ReplacePermissions: true satisfies Same<sdk.ReplacePermissions, contract.ReplacePermissions>,
  Role: true satisfies Same<sdk.Role, contract.Role>,
  Setting: true satisfies Same<sdk.Setting, contract.Setting>,
  Stats: true satisfies Same<sdk.Stats, contract.Stats>,
  Tenant: true satisfies Same<sdk.Tenant, contract.Tenant>,
  TokenPair: true satisfies Same<sdk.TokenPair, contract.TokenPair>,
  UnreadCount: true satisfies Same<sdk.UnreadCount, contract.UnreadCount>,
  UpdateRole: true satisfies Same<sdk.UpdateRole, contract.UpdateRole>,
  UpdateSetting: true satisfies Same<sdk.UpdateSetting, contract.UpdateSetting>,
  UpdateTenant: true satisfies Same<sdk.UpdateTenant, contract.UpdateTenant>,
  UpdateUser: true satisfies Same<sdk.UpdateUser, contract.UpdateUser>,
  UpgradeStatus: true satisfies Same<sdk.UpgradeStatus, contract.UpgradeStatus>,
  User: true satisfies Same<sdk.User, contract.User>,
  Version: true satisfies Same<sdk.Version, contract.Version>,
}

test('every type of the SDK is compared with the one of the server', () => {
  const text = readFileSync(new URL('../src/schema.ts', import.meta.url), 'utf8')
  const names = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)
  expect(Object.keys(agreements).toSorted()).toEqual(names.toSorted())
})

test('the table of error codes is the one of the server', () => {
  expect(generated.errorCodes).toEqual(errorCodes)
})
