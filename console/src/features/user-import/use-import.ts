import { ApiError } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnsure, useErrorText } from '../../components/error-text.ts'
import { generatePassword } from '../../components/new-password-field.tsx'
import { runEach } from '../../components/run-each.ts'
import { useStop } from '../../components/use-stop.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewUsers } from '../users/users.queries.ts'
import { importFields, type Draft, type ImportField } from './drafts.ts'

/** The outcome of a row: the user's id with any generated password, or the reason of the failure. */
export type Result = { userId: number; generated: string } | { reason: string }

/** By the id of the draft; rows that were not tried are absent. */
export type Results = ReadonlyMap<number, Result>

export interface ImportState {
  status: 'ready' | 'running' | 'done'
  total: number
  results: Results
}

const ready: ImportState = { status: 'ready', total: 0, results: new Map() }

/** The service hashes a password for each row, so more requests would only queue there. */
const atOnce = 3

const isImported = (field: string): field is ImportField => importFields.includes(field as ImportField)

const useReason = () => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return (error: unknown): string => {
    if (isUnsure(error)) return t('userImport.unsure')
    const fields = error instanceof ApiError ? error.fields.map(({ field }) => field).filter(isImported) : []
    const names = fields.map((field) => t(`fields.${field}`)).join(', ')
    return names === '' ? textOf(error) : t('userImport.refused', { names, reason: textOf(error) })
  }
}

/** Whether passwords were generated; they exist nowhere else. */
export const hasGenerated = (results: Results): boolean =>
  [...results.values()].some((result) => 'userId' in result && result.generated !== '')

/** Creates the users, a few at a time. Leaving the page stops it. */
export const useImport = () => {
  const { api } = useScope()
  const renew = useRenewUsers()
  const reasonOf = useReason()
  const { begin, stop } = useStop()
  const [state, setState] = useState<ImportState>(ready)

  const run = async (drafts: Draft[]): Promise<Results> => {
    const signal = begin()
    const results = new Map<number, Result>()
    const show = (status: ImportState['status']): void =>
      setState({ status, total: drafts.length, results: new Map(results) })
    const create = async ({ id, user }: Draft): Promise<void> => {
      const generated = user.password === '' ? generatePassword() : ''
      const created = await api.users.create({ ...user, password: user.password || generated })
      results.set(id, { userId: created.id, generated })
    }
    const onSettled = ({ id }: Draft, error: unknown): void => {
      if (error !== undefined) results.set(id, { reason: reasonOf(error) })
      show('running')
    }
    show('running')
    await runEach(drafts, create, { atOnce, signal, onSettled })
    show('done')
    await renew()
    return results
  }

  return { state, run, stop }
}
