import { Router } from 'express';
import type { Config } from '../config.ts';

export function pages(_config: Config): Router {
  return Router();
}

export function sandboxPage(): string {
  return '<!doctype html><title>Sandbox</title>';
}
