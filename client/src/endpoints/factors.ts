import { path, type Api } from '../api.ts'
import type {
  AddPasskey,
  AddTotp,
  ConfirmTotp,
  Factors,
  PasskeyAdded,
  PasskeyCreationOptions,
  ProvePassword,
  RecoveryCodes,
  TotpConfirmed,
  TotpSecret,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'

/**
 * The own second factors. Where one exists, a change needs a session that was opened with a second factor: 403 `mfaRequired`
 * otherwise. The first factor gives its own session that proof, and ends all others.
 */
export const factorEndpoints = ({ ask }: Api) => ({
  /**
   * Lists the own second factors.
   *
   * @throws ApiError 403 `permissionMissing` for a key
   * @example
   * const { factors, recovery_codes_left } = await client.factors.list()
   * console.log(factors.map(({ name }) => name), recovery_codes_left)
   */
  list: (options?: CallOptions) => ask<Factors>('GET', '/auth/factors', {}, options),

  /**
   * Begins an authenticator app. It counts once `confirmTotp` has had its first code, within 15 minutes.
   *
   * @throws ApiError 400 `invalidInput`, `factorsFull`; 401 `oldPasswordWrong`; 403 `mfaRequired`; 429 `tooManyFailures`; 503
   * `secretsOff`
   * @example
   * const { id, otpauth_uri } = await client.factors.addTotp({ name: 'Telephone', password: 'correct horse battery' })
   * console.log(id, otpauth_uri)
   */
  addTotp: (body: AddTotp, options?: CallOptions) =>
    ask<TotpSecret>('POST', '/auth/factors/totp', { body }, options),

  /**
   * Makes an authenticator app count by its first code. With the first factor it gives ten recovery codes, which are shown
   * once.
   *
   * @throws ApiError 400 `invalidInput`, `codeWrong`; 403 `mfaRequired`; 404 `factorUnknown`; 429 `tooManyCodes`
   * @example
   * const confirm = async (id: string) => {
   *   const { recovery_codes } = await client.factors.confirmTotp(id, { code: '492039' })
   *   console.log(recovery_codes)
   * }
   */
  confirmTotp: (id: string, body: ConfirmTotp, options?: CallOptions) =>
    ask<TotpConfirmed>('POST', path`/auth/factors/totp/${id}/confirm`, { body }, options),

  /**
   * Begins a passkey: options for `navigator.credentials.create`, in their JSON form. They live 5 minutes, for this session.
   *
   * @throws ApiError 400 `invalidInput`, `factorsFull`; 401 `oldPasswordWrong`; 403 `passkeysOff`, `mfaRequired`; 429
   * `tooManyFailures`
   * @example
   * const options = await client.factors.beginPasskey({ password: 'correct horse battery' })
   * console.log(options.challenge)
   */
  beginPasskey: (body: ProvePassword, options?: CallOptions) =>
    ask<PasskeyCreationOptions>('POST', '/auth/factors/passkey/options', { body }, options),

  /**
   * Adds a passkey by its answer to `beginPasskey`. With the first factor it gives ten recovery codes, which are shown once.
   *
   * @throws ApiError 400 `invalidInput`, `passkeyInvalid`, `factorsFull`; 403 `passkeysOff`, `mfaRequired`
   * @example
   * const options = await client.factors.beginPasskey({ password: 'correct horse battery' })
   * const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
   * const passkey = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
   * await client.factors.addPasskey({ name: 'Laptop', response: passkey.toJSON() as RegistrationResponseJSON })
   */
  addPasskey: (body: AddPasskey, options?: CallOptions) =>
    ask<PasskeyAdded>('POST', '/auth/factors/passkey', { body }, options),

  /**
   * Removes a factor, and ends all other sessions of the person. The recovery codes go with the last factor.
   *
   * @throws ApiError 400 `invalidInput`; 401 `oldPasswordWrong`; 403 `mfaRequired`; 404 `factorUnknown`; 429 `tooManyFailures`
   * @example
   * const [factor] = (await client.factors.list()).factors
   * if (factor) await client.factors.remove(factor.id, { password: 'correct horse battery' })
   */
  remove: (id: string, body: ProvePassword, options?: CallOptions) =>
    ask<null>('POST', path`/auth/factors/${id}/remove`, { body }, options),

  /**
   * Replaces the recovery codes. The earlier ones are dead, and the new ones are shown once.
   *
   * @throws ApiError 400 `invalidInput`, `factorMissing`; 401 `oldPasswordWrong`; 403 `mfaRequired`; 429 `tooManyFailures`
   * @example
   * const { recovery_codes } = await client.factors.renewRecoveryCodes({ password: 'correct horse battery' })
   * console.log(recovery_codes)
   */
  renewRecoveryCodes: (body: ProvePassword, options?: CallOptions) =>
    ask<RecoveryCodes>('POST', '/auth/factors/recovery-codes', { body }, options),
})
