import { Skeleton } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BackLink } from '../../components/back-link.tsx'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ChooseFile } from './choose-file.tsx'
import type { ImportFile } from './read-file.ts'

const ImportRun = lazy(async () => ({ default: (await import('./import-run.tsx')).ImportRun }))

/** Users from a CSV file: chosen, looked at, sent, and told row by row what became of it. */
export const UserImportPage = () => {
  const { t } = useTranslation()
  const [file, setFile] = useState<ImportFile>()
  const [isHeld, setHeld] = useState(false)
  return (
    <>
      <BackLink to="/users">{t('users.title')}</BackLink>
      <PageHeader title={t('userImport.title')} description={file?.name ?? t('userImport.description')} />
      {file ? (
        <Suspense fallback={<Skeleton height={320} />}>
          <ImportRun file={file} isHeld={isHeld} onHold={setHeld} onAnother={() => setFile(undefined)} />
        </Suspense>
      ) : (
        <ChooseFile onFile={setFile} />
      )}
      <LeaveQuestion isHeld={isHeld} />
    </>
  )
}

/** Asks before the page is left with work under way, or with passwords that were not saved. */
const LeaveQuestion = ({ isHeld }: { isHeld: boolean }) => {
  const { t } = useTranslation()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isHeld,
    enableBeforeUnload: () => isHeld,
    withResolver: true,
  })
  return (
    <ConfirmModal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t('userImport.leaveTitle')}
      confirm={t('userImport.leave')}
      onConfirm={() => proceed?.()}
    >
      {t('userImport.leaveText')}
    </ConfirmModal>
  )
}
