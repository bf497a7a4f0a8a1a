import { Card } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DraftTable } from './draft-table.tsx'
import { draftsOf, recognise, type Draft, type Mapping } from './drafts.ts'
import { ImportDone } from './import-done.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportReady } from './import-ready.tsx'
import type { ImportFile } from './read-file.ts'
import { hasGenerated, useImport, type ImportState } from './use-import.ts'

interface ImportRunProps {
  file: ImportFile
  /** Whether leaving the page would lose work. */
  isHeld: boolean
  onHold: (isHeld: boolean) => void
  onAnother: () => void
}

/** The reason why a row creates no user: its fault, the service's refusal, or an import stopped before it. */
const useReasonOf = ({ status, results }: ImportState) => {
  const { t } = useTranslation()
  return ({ id, problems }: Draft): string => {
    if (problems.length > 0) return problems.map((problem) => t(problem)).join(' ')
    const result = results.get(id)
    if (result) return 'reason' in result ? result.reason : ''
    return status === 'done' ? t('userImport.notTried') : ''
  }
}

/** The recognised columns, and the rows read by them. */
const useDrafts = (file: ImportFile) => {
  const [read, setRead] = useState(() => {
    const mapping = recognise(file.header)
    return { mapping, drafts: draftsOf(file, mapping) }
  })
  const remap = (mapping: Mapping): void => setRead({ mapping, drafts: draftsOf(file, mapping) })
  return { ...read, remap }
}

/** Leads a file from its rows to created users. */
export const ImportRun = ({ file, isHeld, onHold, onAnother }: ImportRunProps) => {
  const { mapping, drafts, remap } = useDrafts(file)
  const { state, run, stop } = useImport()
  const reasonOf = useReasonOf(state)
  const start = async (sound: Draft[]): Promise<void> => {
    onHold(true)
    onHold(hasGenerated(await run(sound)))
  }
  return (
    <>
      <Card withBorder padding="md" mb="md">
        {state.status === 'ready' && (
          <ImportReady
            {...{ file, mapping, drafts, onAnother }}
            onMapping={remap}
            onRun={(sound) => void start(sound)}
          />
        )}
        {state.status === 'running' && <ImportProgress state={state} onStop={stop} />}
        {state.status === 'done' && (
          <ImportDone
            {...{ file, drafts, reasonOf, isHeld, onAnother }}
            state={state}
            onSaved={() => onHold(false)}
          />
        )}
      </Card>
      <DraftTable drafts={drafts} results={state.results} reasonOf={reasonOf} />
    </>
  )
}
