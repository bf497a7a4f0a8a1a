import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../../db/client.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'

export interface NewDevice {
  hash: Buffer
  userCode: string
  applicationId: number
  request: AuthorizationRequest
  ip: string
  userAgent: string
  expiresAt: Date
}

/** Returns 0 if another device has the user code. */
export const insertDevice = (db: Db, device: NewDevice) =>
  db.run(sql`
    insert into device_codes (device_hash, user_code, application_id, request, ip, user_agent, expires_at)
    values (${device.hash}, ${device.userCode}, ${device.applicationId}, ${JSON.stringify(device.request)}, ${device.ip},
      ${device.userAgent}, ${device.expiresAt})
    on conflict on constraint device_codes_user_code_key do nothing`)

export interface WaitingDevice {
  hash: Buffer
  request: AuthorizationRequest
  ip: string
}

/** The device of a user code that nobody has allowed or refused. */
export const selectWaitingDevice = (db: Db, userCode: string, now: Date) =>
  db.one<WaitingDevice>(sql`
    select device_hash as hash, request, ip from device_codes
    where user_code = ${userCode} and expires_at > ${now} and admission is null`)

/** Stores the decision; JSON null means a refusal. Returns 0 if the code is already decided or has expired. */
export const updateDeviceDecided = (
  db: TransactionDb,
  hash: Buffer,
  admission: Admission | null,
  now: Date,
) =>
  db.run(sql`
    update device_codes set admission = ${JSON.stringify(admission)}::jsonb
    where device_hash = ${hash} and expires_at > ${now} and admission is null`)

export interface DeviceRow {
  application_id: number
  request: AuthorizationRequest
  /** The admission; null before the decision, and after a refusal. */
  admission: Admission | null
  is_decided: boolean
  /** IP address and user agent of the device. */
  ip: string
  user_agent: string
  polled_at: Date | null
  interval_seconds: number
  expires_at: Date
}

const columns = sql`application_id, request, admission, admission is not null as is_decided, ip, user_agent, polled_at,
  interval_seconds, expires_at`

export const selectDevice = (db: Db, hash: Buffer) =>
  db.one<DeviceRow>(sql`select ${columns} from device_codes where device_hash = ${hash}`)

/** Locks the device, so that concurrent requests for tokens run one after the other. */
export const selectDeviceForUpdate = (db: TransactionDb, hash: Buffer) =>
  db.one<DeviceRow>(sql`select ${columns} from device_codes where device_hash = ${hash} for update`)

/** Stores the time of a poll, and the pause that the device must keep (RFC 8628, 3.5). */
export const updateDevicePolled = (
  db: Db,
  hash: Buffer,
  { now, intervalSeconds }: { now: Date; intervalSeconds: number },
) =>
  db.run(sql`
    update device_codes set polled_at = ${now}, interval_seconds = ${intervalSeconds} where device_hash = ${hash}`)

export const deleteDeviceRow = (db: TransactionDb, hash: Buffer): void =>
  db.send(sql`delete from device_codes where device_hash = ${hash}`)
