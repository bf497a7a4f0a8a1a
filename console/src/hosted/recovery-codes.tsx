import { useState } from 'react'
import { saveFile } from '../components/save-file.ts'
import { useCopy } from '../components/use-copy.ts'
import { useTranslation } from '../translation.ts'
import { Button, Notice } from './kit.tsx'

interface RecoveryCodesProps {
  codes: string[]
  account: string
  onKept: () => void
}

/** Shown once. Only they are printed (hosted.css). */
export const RecoveryCodes = ({ codes, account, onKept }: RecoveryCodesProps) => {
  const { t } = useTranslation()
  const [isKept, setKept] = useState(false)
  const text = codes.join('\n')
  const { copying, copy } = useCopy(text, () => undefined)
  const save = (): void => {
    const day = new Date().toISOString().slice(0, 10)
    saveFile([`${text}\n`], `recovery-codes-${location.hostname}-${day}.txt`, 'text/plain;charset=utf-8')
  }
  return (
    <>
      <Notice kind="warning">
        <b>{t('factors.codesOnce')}</b>
        <span>{t('factors.codesOnceText')}</span>
      </Notice>
      <p className="only-printed">
        {location.origin}
        <br />
        {account}
      </p>
      <ul className="codes" aria-label={t('factors.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button onClick={save}>{t('factors.codesSave')}</Button>
        <Button onClick={() => print()}>{t('factors.codesPrint')}</Button>
        <Button onClick={copy}>{t(copying === 'done' ? 'common.copied' : 'factors.codesCopy')}</Button>
      </div>
      {copying === 'failed' && <Notice kind="bad">{t('factors.copyFailed')}</Notice>}
      <label className="check">
        <input type="checkbox" checked={isKept} onChange={({ target }) => setKept(target.checked)} />
        <span>{t('hosted.kept')}</span>
      </label>
      <Button className="primary" disabled={!isKept} onClick={onKept}>
        {t('hosted.next')}
      </Button>
    </>
  )
}
