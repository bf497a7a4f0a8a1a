import type { ExportAuditLogsQuery } from '@tenantry/client'
import { useState } from 'react'
import { saveFile } from '../../components/save-file.ts'
import { useStop } from '../../components/use-stop.ts'
import { useScope } from '../../session/scope.ts'

/** The largest download that stays in memory. A larger one could crash the tab. */
export const memoryBytesMax = 256 * 1024 * 1024

export class ExportTooLarge extends Error {}

export type ExportFormat = NonNullable<ExportAuditLogsQuery['format']>

export interface ExportState {
  bytes: number
  status: 'running' | 'done' | 'cancelled' | 'failed'
  error?: unknown
}

/** TypeScript's library lacks this API, because only Chromium has it. */
interface FilePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Writes to a file if the browser supports that. Otherwise collects the download in memory. */
const openDownload = async (name: string): Promise<WritableStream<Uint8Array>> => {
  const { showSaveFilePicker } = globalThis as FilePicker
  if (showSaveFilePicker) return (await showSaveFilePicker({ suggestedName: name })).createWritable()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytesHeld = 0
  return new WritableStream({
    write: (part: Uint8Array<ArrayBuffer>) => {
      bytesHeld += part.length
      if (bytesHeld > memoryBytesMax) throw new ExportTooLarge('more than the memory of a tab should hold')
      parts.push(part)
    },
    close: () => saveFile(parts, name, ''),
  })
}

const counting = (onBytes: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0
  return new TransformStream({
    transform: (part, out) => {
      bytes += part.length
      onBytes(bytes)
      out.enqueue(part)
    },
  })
}

/** Downloads audit records as a file and counts the bytes. Leaving the page cancels the download. */
export const useExport = () => {
  const { api } = useScope()
  const [state, setState] = useState<ExportState>()
  const { begin, stop } = useStop()

  const receive = async (
    query: ExportAuditLogsQuery,
    sink: WritableStream<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> => {
    setState({ bytes: 0, status: 'running' })
    const show = (bytes: number): void => setState({ bytes, status: 'running' })
    const { body } = await api.audit.export(query, { signal }).catch(async (error: unknown) => {
      await sink.abort(error)
      throw error
    })
    await body?.pipeThrough(counting(show)).pipeTo(sink, { signal })
    setState((last) => ({ bytes: last?.bytes ?? 0, status: 'done' }))
  }

  const run = async (query: ExportAuditLogsQuery, name: string): Promise<void> => {
    const signal = begin()
    try {
      await receive(query, await openDownload(name), signal)
    } catch (error) {
      if (!isAbort(error)) setState({ bytes: 0, status: 'failed', error })
      // Without a stop, the user has closed the dialog that asks for a file.
      else setState(signal.aborted ? { bytes: 0, status: 'cancelled' } : undefined)
    }
  }

  return {
    state,
    run,
    cancel: stop,
    clear: () => setState(undefined),
  }
}

export type Export = ReturnType<typeof useExport>
