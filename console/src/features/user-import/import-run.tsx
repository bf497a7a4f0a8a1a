import { Card } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoles } from '../roles/roles.queries.ts'
import { DraftTable } from './draft-table.tsx'
import { draftsOf, recognise, type Draft, type Reading } from './drafts.ts'
import { ImportDone } from './import-done.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportReady } from './import-ready.tsx'
import type { ImportFile } from './read-file.ts'
import { hasSecrets, useImport, type ImportState } from './use-import.ts'

interface ImportRunProps {
  file: ImportFile
  /** Whether leaving the page would lose work. */
  isHeld: boolean
  onHold: (isHeld: boolean) => void
  onAnother: () => void
}

/** The reason why a row has no effect: its fault, the service's refusal, or an import stopped before it. */
const useReasonOf = ({ status, results }: ImportState) => {
  const { t } = useTranslation()
  return ({ id, problems }: Draft): string => {
    if (problems.length > 0) return problems.map((problem) => t(problem)).join(' ')
    const result = results.get(id)
    if (result) return 'reason' in result ? result.reason : ''
    return status === 'done' ? t('userImport.notTried') : ''
  }
}

/** The rows, read by the recognised columns first. */
const useDrafts = (file: ImportFile) => {
  const { data: roles } = useRoles()
  const [reading, reread] = useState<Reading>(() => ({ mapping: recognise(file.header), kind: 'create' }))
  const drafts = useMemo(() => draftsOf(file, reading, roles ?? []), [file, reading, roles])
  return { reading, drafts, reread }
}

/** Leads a file from its rows to created users, or to invitations. */
export const ImportRun = ({ file, isHeld, onHold, onAnother }: ImportRunProps) => {
  const { reading, drafts, reread } = useDrafts(file)
  const { kind } = reading
  const { state, run, stop } = useImport(kind)
  const reasonOf = useReasonOf(state)
  const start = async (sound: Draft[]): Promise<void> => {
    onHold(true)
    onHold(hasSecrets(await run(sound)))
  }
  return (
    <>
      <Card withBorder padding="md" mb="md">
        {state.status === 'ready' && (
          <ImportReady
            {...{ file, reading, drafts, onAnother }}
            onReading={reread}
            onRun={(sound) => void start(sound)}
          />
        )}
        {state.status === 'running' && <ImportProgress state={state} onStop={stop} />}
        {state.status === 'done' && (
          <ImportDone
            {...{ file, kind, drafts, reasonOf, isHeld, onAnother }}
            state={state}
            onSaved={() => onHold(false)}
          />
        )}
      </Card>
      <DraftTable {...{ kind, drafts, reasonOf }} results={state.results} />
    </>
  )
}
