import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BackLink } from '../../components/back-link.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ChooseFile } from './choose-file.tsx'
import type { ImportFile } from './read-file.ts'

const ImportRun = lazyPart(
  async () => (await import('./import-run.tsx')).ImportRun,
  <Skeleton height={320} />,
)

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
        <ImportRun file={file} isHeld={isHeld} onHold={setHeld} onAnother={() => setFile(undefined)} />
      ) : (
        <ChooseFile onFile={setFile} />
      )}
      {/* With work under way, or with passwords that were not saved. */}
      <LeaveQuestion isHeld={isHeld} title={t('userImport.leaveTitle')} confirm={t('userImport.leave')}>
        {t('userImport.leaveText')}
      </LeaveQuestion>
    </>
  )
}
