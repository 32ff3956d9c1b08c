import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Certificate {
  certificate: string;
  key: string;
}

/**
 * Creates a certificate for this machine in a folder. Only clients that are configured with it trust it. Returns its
 * files.
 */
export function certify(folder: string): Certificate {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
    stdio: 'ignore',
  });
  return { certificate, key };
}
