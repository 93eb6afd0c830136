//! The commands of the binary, as parts of a pipeline.
use crate::shop::Shop;
use std::io::Read;
use std::process::Stdio;

#[actix_web::test]
async fn commands_end_quietly_when_nobody_reads_their_output() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    for line in ["openapi", "limits show", "prices show", "coupon list", "inventory export", "ledger verify"] {
        let mut words = line.split(' ');
        let mut command = shop.command(words.next().expect("a command"));
        let running = command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).env("RUST_LOG", "warn").spawn();
        let mut running = running.expect("the command");
        drop(running.stdout.take());
        let mut complaint = String::new();
        running.stderr.take().expect("its errors").read_to_string(&mut complaint).expect("text");
        running.wait().expect("an end");
        assert_eq!(complaint, "", "{line}");
    }
}
